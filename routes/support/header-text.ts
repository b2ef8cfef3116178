import { isUtf8 } from 'node:buffer'

/**
 * The text of a header: UTF-8, which most programs send, else Latin-1. Node.js reads each byte as a character, and joins what a
 * request sends twice, as a list or with commas.
 */
export function textOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return
  const bytes = Buffer.from(String(header), 'latin1')
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
