/** Settings that cannot be used. The message says which, and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
