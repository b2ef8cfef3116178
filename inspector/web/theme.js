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
  // This script comes before all modules: without the first of them, nothing else could say why the page is empty.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement) || document.querySelector('main')) return
      const again = Object.assign(document.createElement('a'), { textContent: 'Try again' })
      again.href = location.href
      const notice = Object.assign(document.createElement('p'), { className: 'notice' })
      notice.setAttribute('role', 'alert')
      notice.append('The gateway did not send this page. ', again)
      document.body.append(notice)
    },
    true,
  )
  addEventListener('signalbox:toggle-theme', () => {
    localStorage.setItem(KEY, root.dataset.theme === 'dark' ? 'light' : 'dark')
    apply()
  })
})()
