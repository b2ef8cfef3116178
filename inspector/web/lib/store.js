/**
 * State that lives longer than what shows it, and tells whoever watches when it changes. Changes within
 * one frame are told once.
 * @template T
 */
export class Store {
  /** @type {Set<() => void>} */
  #listeners = new Set()
  #told = true

  /** @param {T} state */
  constructor(state) {
    this.state = state
  }

  /** @param {Partial<T>} change */
  update(change) {
    this.state = { ...this.state, ...change }
    if (!this.#told) return
    this.#told = false
    queueMicrotask(() => {
      this.#told = true
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
