import { CredentialError } from '../model/credential.ts'
import type { Source, SourceOptions } from './source.ts'

/** The first of the variables that is set when the gateway starts or reloads its cards. */
export function envSource(names: readonly string[], { env, remember }: SourceOptions): Source {
  const found = names.find(name => env[name])
  const value = found === undefined ? undefined : env[found]
  const wanted = names.join(' or ')
  const missing = { message: `${wanted} is not set`, fix: `set ${wanted} where the gateway runs` }
  if (value !== undefined) remember(value)
  return {
    lacking: value === undefined ? missing : null,
    found: `${found} is set`,
    get() {
      if (value !== undefined) return value
      throw new CredentialError('AUTH', `${missing.message}.`)
    },
    renew: async () => null,
    close: () => {},
  }
}
