// begins here
