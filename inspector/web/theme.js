/**
 * Light or dark, before anything is painted: that is why this is a classic script in the head.
 * What was chosen is kept; without a choice the page follows the system.
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
