/** A call as a batch lists it. */
export interface Call {
  readonly id: string
  readonly capability: string
  readonly input: object
  readonly for_each?: object
  readonly needs?: readonly string[]
}

// oxlint-disable-next-line typescript/no-explicit-any -- tasks read the data of every capability
export type Data = any

/** The data of each call, by its id; of a call with `for_each` a list. */
export type Found = Readonly<Record<string, Data>>

/** Reads the sandbox as it is after a task. */
export type Look = (capability: string, input: object) => Promise<Data>

export interface Task {
  readonly name: string
  /** As a model would search for what it needs. */
  readonly words: string
  /** Each round sends its calls together, and may use what earlier rounds have found. */
  readonly rounds: readonly ((found: Found) => readonly Call[])[]
  /** The state afterwards, whichever way the task took. */
  readonly outcome: (look: Look, found: Found) => Promise<unknown>
  readonly expected: unknown
}

export const REPO = { owner: 'octo-org', name: 'hello-world' }
export const from = ($from: string, path: string) => ({ $from, path })
export const item = (path: string) => ({ $item: path })
