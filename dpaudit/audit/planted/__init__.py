"""Private mechanisms and trainings, right and with bugs planted one at a time: what the auditor is tested on."""
