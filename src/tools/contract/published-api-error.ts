/** GitHub's published OpenAPI description cannot be installed. */
export class PublishedApiError extends Error {
  override readonly name = 'PublishedApiError'
}
