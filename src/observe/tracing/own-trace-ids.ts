import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

/** Generates random ids, but for a trace whose id is given beforehand. */
export class OwnTraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #next: string | null = null

  /** Runs `begin`, whose new trace gets this id. */
  during<T>(traceId: string, begin: () => T): T {
    this.#next = traceId
    try {
      return begin()
    } finally {
      this.#next = null
    }
  }

  generateTraceId(): string {
    return this.#next ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.#random.generateSpanId()
  }
}
