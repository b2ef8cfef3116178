const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && STANDARD.test(text)
}

/** The bytes of a Base64 text; null if it is none. `Buffer.from` would skip characters that it does not know. */
export function decodeBase64(text: string): Buffer<ArrayBuffer> | null {
  return isBase64(text) ? Buffer.from(text, 'base64') : null
}
