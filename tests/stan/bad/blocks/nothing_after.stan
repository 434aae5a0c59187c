generated quantities {
}
model {
}
