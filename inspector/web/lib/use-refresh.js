import { useEffect, useRef } from './view.js'

/**
 * Calls `refresh` again and again while the tab is visible.
 * @param {() => void} refresh
 * @param {number} ms
 */
export function useRefresh(refresh, ms) {
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    const timer = setInterval(() => document.hidden || latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms])
}
