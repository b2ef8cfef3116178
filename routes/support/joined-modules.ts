/** Joins the modules of a web page into one script: a browser takes longer to ask for a hundred small files than to read them. */
import { posix } from 'node:path'

/**
 * Wraps each module in a function, which runs when another module first imports it. Understands the few forms of imports and
 * exports that our modules and the libraries have, and refuses others.
 * @param texts the modules, each with its path
 * @param entry the path of the module that starts the page
 */
export function joinModules(texts: ReadonlyMap<string, string>, entry: string): string {
  const modules = [...texts].map(([path, text]) => {
    const { body, names } = toFunctionBody(path, text)
    return `${JSON.stringify(path)}: () => {\n${body}\nreturn { ${names.join(', ')} }\n},`
  })
  return `const modules = {\n${modules.join('\n')}\n}\n${USE}use(${JSON.stringify(entry)})\n`
}

const USE = `const used = new Map()
function use(path) {
  if (!used.has(path)) used.set(path, modules[path]())
  return used.get(path)
}
`

/** A statement begins a line or, in a minified library, follows another one. */
const IMPORT = /(?<=^|[;}])import\s*(\{[^}]*\}|\w+)\s*from\s*['"](\.[^'"]+)['"]/gm
const LATE_IMPORT = /\bawait import\('(\.[^']+)'\)/g
const EXPORTED = /^export ((?:async )?function\*?|const|class) (\w+)/gm
const EXPORTED_NAMES = /(?<=^|[;}])export\s*\{([^}]*)\}(?!\s*from)/gm
const DEFAULT = /(?<=^|[;}])export default /gm
const OTHER = /(?<=^|[;}])(?:import|export)\b(?!\().*/m

function toFunctionBody(path: string, text: string) {
  const use = (other: string) => `use('${posix.join(posix.dirname(path), other)}')`
  /** The members of the object that the function returns. */
  const names: string[] = []
  const body = text
    .replace(IMPORT, (_, what: string, other: string) => `const ${pattern(what)} = ${use(other)}`)
    .replace(LATE_IMPORT, (_, other: string) => use(other))
    .replace(EXPORTED, (_, kind: string, name: string) => {
      names.push(name)
      return `${kind} ${name}`
    })
    .replace(EXPORTED_NAMES, (_, list: string) => {
      names.push(...pairs(list).map(([own, other]) => `${other}: ${own}`))
      return ''
    })
    .replace(DEFAULT, () => {
      names.push('default: exportedDefault')
      return 'const exportedDefault = '
    })
  const [other] = OTHER.exec(body) ?? []
  if (other !== undefined) throw new Error(`${path} has a form that cannot be joined: ${other}`)
  return { body, names }
}

/** `{ a, b as c }` or the name of a default import, as a pattern that takes the same members of an object. */
function pattern(what: string): string {
  const name = what.trim()
  if (!name.startsWith('{')) return `{ default: ${name} }`
  const members = pairs(name.slice(1, -1)).map(([from, to]) => `${from}: ${to}`)
  return `{ ${members.join(', ')} }`
}

/** The names of `a, b as c`, each with its other name. */
function pairs(list: string): (readonly [string, string])[] {
  const parts = list.split(',').map(part => part.trim())
  return parts
    .filter(part => part !== '')
    .map(part => {
      const [name = '', other = name] = part.split(' as ')
      return [name, other] as const
    })
}
