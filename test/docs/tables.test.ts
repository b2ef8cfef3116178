import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { RunQuery } from '../../routes/capabilities.ts'
import { createProgram } from '../../src/commands/program.ts'
import { loadSettings, SettingsFile } from '../../src/gateway/config.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { WARNING_CODES } from '../../src/model/warnings.ts'
import { readPage, tableRows } from './pages.ts'

/** Settings whose default is an empty text. */
const TEXTS = ['public_url', 'trace_url', 'approval_webhook', 'approval_webhook_secret']

describe('the table of docs/settings.md', () => {
  const settings = tableRows(
    readPage('docs/settings.md'),
    'key in the file | environment variable | default | meaning',
  )

  test('lists exactly the settings there are', () => {
    const names = settings.map(([name]) => name)
    expect(names).toEqual(Object.keys(SettingsFile.properties).map(name => `\`${name}\``))
  })

  test.each(settings)('gives %s the variable %s and the default %s', (name, variable, value) => {
    const key = name.replaceAll('`', '') as keyof SettingsFile
    const defaults = loadSettings({}, null)
    const shown = value.replaceAll('`', '')
    const none = TEXTS.includes(key) ? '' : key === 'credentials' ? {} : []
    const usual = Array.isArray(defaults[key]) ? [shown] : load(shown)
    expect(defaults[key]).toEqual(shown === 'none' ? none : usual)
    const sample = {
      journal_durability: 'full',
      journal_days: '3',
      keys: 'a:0123456789abcdef',
      journal_payloads: 'redacted',
      packs: 'prometheus',
      state: 'redis://127.0.0.1',
      log_level: 'warn',
      worker_silent_ms: '5000',
      allowed_origins: 'https://app.example.com',
      oidc: '[{"issuer":"https://login.example.com","audience":"gateway"}]',
      credentials: '{"github":{"default":{"env":"OTHER_TOKEN"}}}',
      public_url: 'https://gateway.example.com',
      trace_url: 'https://traces.example.com/{trace_id}',
      approval_webhook: 'https://hooks.example.com/',
      approval_webhook_secret: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
    }
    const changed = key in sample ? sample[key as keyof typeof sample] : '7'
    const set = loadSettings({ [variable.replaceAll('`', '')]: changed }, null)
    expect(set[key]).not.toEqual(defaults[key])
  })
})

test.each([
  ['docs/profiles.md', 'profile | form', PROFILE_NAMES],
  ['docs/profiles.md', 'code | meaning', WARNING_CODES],
  ['docs/calling.md', 'query parameter | meaning', Object.keys(RunQuery.properties)],
])('the table of %s under "%s" lists exactly what there is', (page, head, actual) => {
  const listed = tableRows(readPage(page), head).map(([name = '']) => name.replaceAll('`', ''))
  expect(listed.toSorted()).toEqual([...actual].toSorted())
})

test('the table of docs/commands.md lists exactly the commands there are', () => {
  const rows = tableRows(readPage('docs/commands.md'), 'command | what it does')
  const listed = rows.map(([command = '']) => /\w+/.exec(command)?.[0] ?? '')
  const actual = createProgram().commands.map(command => command.name())
  expect(listed.toSorted()).toEqual(actual.toSorted())
})
