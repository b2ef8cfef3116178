/**
 * Sets the light or dark theme. A classic script in the head, so that it runs before the first paint.
 * Stores the user's choice; without one, the page follows the system.
 */
;(() => {
  const KEY = 'signalbox-theme'
  const system = matchMedia('(prefers-color-scheme: dark)')
  const root = document.documentElement

  const apply = () => {
    root.dataset.theme = localStorage.getItem(KEY) ?? (system.matches ? 'dark' : 'light')
  }

  apply()
  system.addEventListener('change', apply)
  addEventListener('signalbox:toggle-theme', () => {
    localStorage.setItem(KEY, root.dataset.theme === 'dark' ? 'light' : 'dark')
    apply()
  })
})()
