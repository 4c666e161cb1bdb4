/** The bin, the export and the deletion of the account. */
export function DataSection() {
  return null;
}
