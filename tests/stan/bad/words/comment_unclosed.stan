data {
  int N; /* how many
}
model {
}
