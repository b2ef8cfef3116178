import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The text of a page, by its path from the root of the project. */
export function readPage(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

/** The fenced blocks of one language on a page, in order; only those of one section if it is given. */
export function blocks(page: string, language: string, section?: string): string[] {
  const text = section === undefined ? page : sectionOf(page, section)
  return [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
    .filter(([, tag]) => tag === language)
    .map(([, , content = '']) => content)
}

function sectionOf(page: string, title: string): string {
  const [, rest] = page.split(`# ${title}\n`)
  if (rest === undefined) throw new Error(`there is no section "${title}"`)
  return rest.split(/\n#+ /)[0] ?? ''
}

/** The cells of the rows of a table on a page. `head` is the table's first line. */
export function tableRows(page: string, head: string): string[][] {
  const [, rest = ''] = page.split(`| ${head} |\n`)
  const [table = ''] = rest.split('\n\n')
  return table
    .trimEnd()
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

/** Parses the few options of curl that the examples use; any other is an error. */
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
    else if (word !== '-s') throw new Error(`this test does not know the curl option ${word}`)
  }
  return { ...curl, method: curl.method || (curl.body === null ? 'GET' : 'POST') }
}
