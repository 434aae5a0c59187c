data {
  int N;
}}
model {
}
