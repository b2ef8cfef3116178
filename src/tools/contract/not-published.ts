/** What GitHub publishes of its REST API cannot be had. */
export class NotPublishedError extends Error {
  override readonly name = 'NotPublishedError'
}
