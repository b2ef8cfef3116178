import { createParser } from 'eventsource-parser'
import { readJson } from './json.ts'

/** One event of an event stream. */
export interface StreamEvent {
  readonly event: string
  readonly id: string | null
  /** A JSON object or list is parsed, anything else is text. */
  readonly data: unknown
}

/** The part of an event stream that a card reads. */
export interface EventLimit {
  readonly events: number
  /** Ends at an event with this data, or with this name. That event counts. */
  readonly untilData: string | null
  readonly untilEvent: string | null
}

/** Reads the events of a stream until its limit. */
export class EventReader {
  readonly events: StreamEvent[] = []
  readonly #limit: EventLimit
  readonly #decoder = new TextDecoder()
  readonly #parser = createParser({ onEvent: event => this.#add(event) })
  #ended = false

  constructor(limit: EventLimit) {
    this.#limit = limit
  }

  /** Whether the event that ends the stream has come. */
  get ended(): boolean {
    return this.#ended
  }

  get isFull(): boolean {
    return this.#ended || this.events.length >= this.#limit.events
  }

  read(chunk: Buffer): void {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }))
  }

  readText(text: string): void {
    this.#parser.feed(text)
  }

  #add({ event = 'message', id, data }: SourceEvent): void {
    if (this.isFull) return
    const { untilData, untilEvent } = this.#limit
    this.#ended = data === untilData || event === untilEvent
    this.events.push({ event, id: id ?? null, data: valueOf(data) })
  }
}

interface SourceEvent {
  readonly event?: string | undefined
  readonly id?: string | undefined
  readonly data: string
}

function valueOf(data: string): unknown {
  if (!/^\s*[[{]/.test(data)) return data
  const json = readJson(data)
  return json.ok ? json.value : data
}
