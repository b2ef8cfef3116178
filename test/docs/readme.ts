import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const readme = readFileSync(`${root}README.md`, 'utf8')

/** The fenced blocks of one language, in order; of one section when it is named. */
export function blocks(language: string, section?: string): string[] {
  const [, rest = ''] = section === undefined ? ['', readme] : readme.split(`# ${section}\n`)
  const [text = ''] = section === undefined ? [rest] : rest.split(/\n#+ /)
  return [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
    .filter(([, tag]) => tag === language)
    .map(([, , content = '']) => content)
}

/** The cells of a table's rows, found by the words of its head. */
export function tableRows(head: string): string[][] {
  const [, rest = ''] = readme.split(`| ${head} |\n`)
  const [table = ''] = rest.split('\n\n')
  return table
    .split('\n')
    .slice(1)
    .map(row => row.slice(2, -2).split(' | '))
}

export interface Curl {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string | null
}

/** Reads the few options of curl that the README uses; any other is an error. */
export function parseCurl(command: string): Curl {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .values()
  if (words.next().value !== 'curl') throw new Error(`not a curl command: ${command}`)
  const curl = {
    method: '',
    url: '',
    headers: {} as Record<string, string>,
    body: null as string | null,
  }
  for (const word of words) {
    const value = () => words.next().value ?? ''
    if (word === '-X') curl.method = value()
    else if (word === '-d') curl.body = value()
    else if (word === '-H') {
      const [name = '', text = ''] = value().split(': ')
      curl.headers[name] = text
    } else if (word.startsWith('http')) curl.url = word
    else if (word !== '-s')
      throw new Error(`an option of curl that this test does not know: ${word}`)
  }
  return { ...curl, method: curl.method || (curl.body === null ? 'GET' : 'POST') }
}
