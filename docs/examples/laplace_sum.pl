#!/usr/bin/perl
# A sum of records in [0, 1] with Laplace noise, epsilon 1: perl laplace_sum.pl SCALE DATA SEED
use strict;
use warnings;

my ($scale, $data, $seed) = @ARGV;
my $sum = 0;
open my $file, '<', $data or die "$data: $!\n";
while (my $record = <$file>) {
    $sum += $record < 0 ? 0 : $record > 1 ? 1 : $record;
}
srand($seed % 2**32);
printf "%.17g\n", $sum + $scale * log((1 - rand) / (1 - rand));
