/** An unusable setting. The message names it and says what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
