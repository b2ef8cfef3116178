/** The document or the options cannot be used for an import. The message includes the fix. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** A card cannot express one operation; the others are not affected. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible'
}
