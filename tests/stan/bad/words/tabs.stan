data {
	int N;
	array[N]	real	x$y;
	real z;
}
