/** One-use codes to get back into the account. */
export function RecoverySection() {
  return null;
}
