import { isObject } from '../../../src/lib/is-object.ts'

/** The structured facts of an error from any library. */
export interface ErrorFacts {
  readonly name: string
  readonly code: string
  readonly syscall: string
  /** Only used to recognize errors that have no code. */
  readonly message: string
  /** Bytes written to the socket; null if the error does not say. */
  readonly bytesWritten: number | null
  /** The errors inside an AggregateError. */
  readonly members: readonly ErrorFacts[]
}

const MAX_CAUSES = 8

/** An error and its causes, innermost first. */
export function errorChain(error: unknown): ErrorFacts[] {
  const chain: ErrorFacts[] = []
  let current = error
  while (isObject(current) && chain.length < MAX_CAUSES) {
    chain.unshift(errorFacts(current))
    current = current.cause
  }
  return chain
}

function errorFacts(error: Readonly<Record<string, unknown>>): ErrorFacts {
  const { name, code, syscall, message, socket, errors } = error
  const bytesWritten = isObject(socket) ? socket.bytesWritten : null
  return {
    name: text(name),
    code: text(code),
    syscall: text(syscall),
    message: text(message),
    bytesWritten: typeof bytesWritten === 'number' ? bytesWritten : null,
    members: Array.isArray(errors) ? errors.filter(isObject).map(errorFacts) : [],
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
