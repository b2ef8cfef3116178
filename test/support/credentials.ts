import { openCredentials } from '../../src/credentials/open.ts'
import {
  type Credential,
  type Credentials,
  createCredential,
  type Schemes,
} from '../../src/model/credential.ts'

/** The schemes of an upstream with the short form, `credential:`. */
export const SHORT_FORM: Schemes = { credential: { type: 'placeholder' } }

/** The part of an upstream with the short form that its adapter gets. */
export function tokenCredential(token: string, id = 'test:default'): Credential {
  return createCredential(id, { credential: token }, [token])
}

/** The credentials of an upstream that has none. */
export function noCredentials(upstream = 'shop'): Credentials {
  return openCredentials(
    { upstream, credentials: {}, passthrough: null },
    { env: {}, now: Date.now, directory: () => '.', api: null },
  )
}
