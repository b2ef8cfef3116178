import { getData, messageOf } from './api.js'
import { useEffect, useState } from './view.js'

/**
 * Reads a path of the API, again whenever the path changes or the caller asks for a reload.
 * @template T
 * @param {string} path
 * @param {T} initial the data before the first response
 * @param {(path: string, signal: AbortSignal) => Promise<unknown>} [read]
 * @returns {{ data: T, failure: string | null, reload: () => void }}
 */
export function useData(path, initial, read = getData) {
  const [data, setData] = useState(initial)
  const [failure, setFailure] = useState(/** @type {string | null} */ (null))
  const [reloads, setReloads] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    read(path, controller.signal)
      .then(found => {
        setData(/** @type {T} */ (found))
        setFailure(null)
      })
      .catch(error => {
        if (controller.signal.aborted) return
        setFailure(messageOf(error))
      })
    return () => controller.abort()
  }, [path, reloads])
  return { data, failure, reload: () => setReloads(count => count + 1) }
}
