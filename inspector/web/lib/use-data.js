import { ApiError, getData } from './api.js'
import { useEffect, useState } from './view.js'

/**
 * What the API has under this path, read when the path changes and when asked to.
 * @template T
 * @param {string} path
 * @param {T} before what there is until it is read
 * @returns {{ data: T, failure: string | null, reload: () => void }}
 */
export function useData(path, before) {
  const [data, setData] = useState(before)
  const [failure, setFailure] = useState(/** @type {string | null} */ (null))
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const open = new AbortController()
    getData(path, open.signal)
      .then(found => {
        setData(/** @type {T} */ (found))
        setFailure(null)
      })
      .catch(error => {
        if (open.signal.aborted) return
        setFailure(error instanceof ApiError ? error.message : String(error))
      })
    return () => open.abort()
  }, [path, asked])
  return { data, failure, reload: () => setAsked(count => count + 1) }
}
