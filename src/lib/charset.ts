import { isUtf8 } from 'node:buffer'

/** A text is neither UTF-8 nor in a character set that this process can read. */
export class UnreadableTextError extends Error {
  override readonly name = 'UnreadableTextError'
  readonly code = 'UNREADABLE_TEXT'
}

const CHARSET = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i

/**
 * Decodes a body: as UTF-8 if it is valid UTF-8, since some senders declare another character set than they use,
 * else as its `content-type` declares.
 * @throws {UnreadableTextError} when neither works: guessing would change characters silently.
 */
export function decodeText(body: Buffer, contentType: string | undefined): string {
  if (isUtf8(body)) return body.toString()
  const [, declared = ''] = CHARSET.exec((contentType ?? '').slice(0, 500)) ?? []
  const decoder = decoderFor(declared)
  if (!decoder) throw new UnreadableTextError('it is not UTF-8, and declares no other charset')
  try {
    return decoder.decode(body)
  } catch {
    throw new UnreadableTextError(`it is not valid ${declared}`)
  }
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | null {
  if (label === '' || /^utf-?8$/i.test(label)) return null
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return null
  }
}
