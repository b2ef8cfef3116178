/** The part of the authorization server that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

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
    ) => {
      addOIDCScope(scope: string): void
      addResourceScope(resource: string, scope: string): void
      save(): Promise<string>
    }
    readonly RefreshToken: new (
      facts: object,
    ) => { save(): Promise<string> }
    on(event: string, listener: () => void): void
    callback(): RequestListener
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{
      readonly prompt: { readonly name: string }
      readonly params: {
        readonly client_id: string
        readonly resource?: string | readonly string[]
      }
    }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
  }
}
