import { randomBytes } from 'node:crypto'
import { KEY_NAME } from '../access/key-schema.ts'
import { digestOf } from '../access/open-keys.ts'
import { isReserved } from '../access/reserved-names.ts'
import { SettingsError } from '../model/settings-error.ts'
import { print } from './output.ts'

/** Prints a new secret, once, and the entry of the settings file that knows only its digest. */
export function createKey(name: string): void {
  if (!new RegExp(KEY_NAME).test(name)) {
    throw new SettingsError(
      `${JSON.stringify(name)} cannot be the name of a key: write lower-case letters, digits, _ and -, such as reviewer.`,
    )
  }
  if (isReserved(name)) {
    throw new SettingsError(
      `${JSON.stringify(name)} cannot be the name of a key: commands and the audit use it. Choose another, such as reviewer.`,
    )
  }
  const secret = `sbx_${randomBytes(32).toString('base64url')}`
  print(`The secret of ${name}, shown only now:

  ${secret}

Its entry under keys in the settings file; docs/settings.md lists what else a key can have:

  - name: ${name}
    secret_sha256: ${digestOf(secret)}`)
}
