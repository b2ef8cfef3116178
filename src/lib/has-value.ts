/** Whether data holds any non-null value, at any depth. */
export function hasValue(data: unknown): boolean {
  if (data === null || data === undefined) return false
  return typeof data === 'object' ? Object.values(data).some(hasValue) : true
}
