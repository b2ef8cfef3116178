const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes of a Base64 text; null if it is none. `Buffer.from` would skip characters that it does not know. */
export function decodeBase64(text: string): Buffer<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !STANDARD.test(text)) return null
  return Buffer.from(text, 'base64')
}
