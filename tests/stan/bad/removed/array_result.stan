functions {
  int[] twice(int n) {
    return {n, n};
  }
}
