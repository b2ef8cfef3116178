import type { Readable } from 'node:stream'

export interface Lines {
  readonly write: (text: string) => unknown
}

const NEWLINE = 10

/** Passes on whole lines only, so that the lines of several processes do not mix. Ends the unfinished line of a process that died. */
export function forwardLines(from: Readable, to: Lines): void {
  let rest: Buffer = Buffer.alloc(0)
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end === 0) {
      rest = Buffer.concat([rest, chunk])
      return
    }
    to.write(Buffer.concat([rest, chunk.subarray(0, end)]).toString())
    rest = chunk.subarray(end)
  })
  from.on('end', () => {
    if (rest.length > 0) to.write(`${rest.toString()}\n`)
  })
}
