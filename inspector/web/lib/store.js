/**
 * State that outlives the components that show it. Notifies its listeners after a change; several changes
 * in one task cause one notification.
 * @template T
 */
export class Store {
  /** @type {Set<() => void>} */
  #listeners = new Set()
  #notifying = false

  /** @param {T} state */
  constructor(state) {
    this.state = state
  }

  /** @param {Partial<T>} change */
  update(change) {
    this.state = { ...this.state, ...change }
    if (this.#notifying) return
    this.#notifying = true
    queueMicrotask(() => {
      this.#notifying = false
      for (const listener of this.#listeners) listener()
    })
  }

  /**
   * @param {() => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
