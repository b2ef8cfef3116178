/** Reads as much of protobuf and of OTLP (opentelemetry-proto, trace.proto) as the tests need. */

export interface ExportedSpan {
  readonly trace: string
  readonly id: string
  /** Empty for the root of a trace. */
  readonly parent: string
  readonly name: string
  readonly kind: 'server' | 'client'
  /** Nanoseconds. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly {
    readonly name: string
    readonly attributes: Record<string, unknown>
  }[]
  readonly failed: boolean
}

type Value = bigint | number | Buffer
type Message = ReadonlyMap<number, readonly Value[]>

/** The fields of a message by number. The wire format has no names or types. */
export function decode(bytes: Buffer): Message {
  const fields = new Map<number, Value[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => bytes.subarray(at, (at += length))
  while (at < bytes.length) {
    const tag = Number(varint())
    const value = [varint, () => take(8), () => take(Number(varint())), null, null, () => take(4)][
      tag & 7
    ]?.()
    if (value === undefined) throw new Error(`wire type ${tag & 7} is not known`)
    const values = fields.get(tag >> 3) ?? []
    fields.set(tag >> 3, [...values, value])
  }
  return fields
}

/** An ExportTraceServiceRequest. */
export function readExport(message: Message) {
  const [first, ...more] = messages(message, 1)
  const all = first ? [first, ...more] : []
  return {
    resource: first ? attributesOf(messages(first, 1)[0] ?? new Map(), 1) : {},
    spans: all
      .flatMap(of => messages(of, 2))
      .flatMap(scope => messages(scope, 2))
      .map(readSpan),
  }
}

function readSpan(span: Message): ExportedSpan {
  return {
    trace: hex(span, 1),
    id: hex(span, 2),
    parent: hex(span, 4),
    name: text(span, 5),
    kind: number(span, 6) === 2 ? 'server' : 'client',
    start: bytesOf(span, 7).readBigUInt64LE(),
    end: bytesOf(span, 8).readBigUInt64LE(),
    attributes: attributesOf(span, 9),
    events: messages(span, 11).map(event => ({
      name: text(event, 2),
      attributes: attributesOf(event, 3),
    })),
    failed: messages(span, 15).some(status => number(status, 3) === 2),
  }
}

function attributesOf(message: Message, field: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(message, field).map(pair => {
      const [value = new Map<number, Value[]>()] = messages(pair, 2)
      return [text(pair, 1), value.has(1) ? text(value, 1) : number(value, 3)]
    }),
  )
}

function messages(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map(value => decode(value as Buffer))
}

function bytesOf(message: Message, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)
}

function text(message: Message, field: number): string {
  return bytesOf(message, field).toString()
}

function hex(message: Message, field: number): string {
  return bytesOf(message, field).toString('hex')
}

function number(message: Message, field: number): number {
  return Number(message.get(field)?.[0] ?? 0)
}
