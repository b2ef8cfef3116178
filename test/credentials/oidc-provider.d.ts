/** The part of the authorization server that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Token {
    readonly isValid: boolean
    destroy(): Promise<void>
  }
  interface TokenClass {
    find(value: string): Promise<Token | undefined>
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly ClientCredentials: TokenClass
    readonly AccessToken: TokenClass
    readonly Client: { find(id: string): Promise<object | undefined> }
    readonly Grant: new (
      facts: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    readonly RefreshToken: new (
      facts: object,
    ) => { save(): Promise<string> }
    on(event: string, listener: () => void): void
    callback(): RequestListener
  }
}
