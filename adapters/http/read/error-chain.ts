/** What an error says in a structured way, whoever made it. */
export interface ErrorFacts {
  readonly name: string
  readonly code: string
  readonly syscall: string
  /** For texts that have no code only. */
  readonly message: string
  /** Bytes written to the socket, where the error tells. */
  readonly bytesWritten: number | null
  /** The attempts behind an AggregateError. */
  readonly members: readonly ErrorFacts[]
}

const MAX_CAUSES = 8

/** An error and its causes, the innermost first. */
export function errorChain(error: unknown): ErrorFacts[] {
  const chain: ErrorFacts[] = []
  let current = error
  while (isObject(current) && chain.length < MAX_CAUSES) {
    chain.unshift(factsOf(current))
    current = current.cause
  }
  return chain
}

function factsOf(error: Readonly<Record<string, unknown>>): ErrorFacts {
  const { name, code, syscall, message, socket, errors } = error
  const bytesWritten = isObject(socket) ? socket.bytesWritten : null
  return {
    name: text(name),
    code: text(code),
    syscall: text(syscall),
    message: text(message),
    bytesWritten: typeof bytesWritten === 'number' ? bytesWritten : null,
    members: Array.isArray(errors) ? errors.filter(isObject).map(factsOf) : [],
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}
