/** Small settings that the browser keeps. Browsers that block storage throw on access: the page then forgets. */

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {
    // The setting lasts until the page is closed.
  }
}
