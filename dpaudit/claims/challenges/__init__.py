"""What is open of the papers, as folders that anybody can work on, and the judge of answers."""
