/* A sum of records in [0, 1] with Laplace noise, epsilon 1. The argument is the scale of the noise. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double uniform(uint64_t *state) { /* in (0, 1), by SplitMix64 */
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

int main(int count, char **words) {
  char line[4352], path[4096];
  double record, scale = count > 1 ? atof(words[1]) : 1;
  uint64_t seed;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "{\"trial\": %*d, \"seed\": %" SCNu64 ", \"data\": \"%4095[^\"]", &seed, path) != 2) return 1;
    FILE *file = fopen(path, "r");
    if (!file) return 2;
    double sum = 0;
    while (fscanf(file, "%lf", &record) == 1) sum += fmin(fmax(record, 0), 1);
    fclose(file);
    printf("%.17g\n", sum + scale * log(uniform(&seed) / uniform(&seed)));
  }
  return 0;
}
