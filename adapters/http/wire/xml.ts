import type * as parseXml from '@rgrove/parse-xml'
import { later } from '../../../src/lib/later.ts'
import { MAX_NESTING } from '../../../src/lib/nesting.ts'

const library = later<typeof parseXml>('@rgrove/parse-xml')

/** A text is no well-formed XML, or is nested too deeply. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault'
}

/**
 * Reads an XML document as an object of its root. The library knows no entities but XML's own five, so none can expand.
 * @param lists dotted paths of elements that are always lists, such as `parts.part`
 * @throws {XmlFault} if the text is not well-formed
 */
export function readXml(text: string, lists: readonly string[]): object {
  const root = parse(text)
  return { [localName(root.name)]: valueOf(root, localName(root.name), new Set(lists), 1) }
}

function parse(text: string): parseXml.XmlElement {
  const { parseXml, XmlError } = library()
  try {
    const { root } = parseXml(text)
    if (root) return root
    throw new XmlFault('it has no root element')
  } catch (error) {
    if (error instanceof XmlError) throw new XmlFault(error.message, { cause: error })
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new XmlFault(TOO_DEEP, { cause: error })
    throw error
  }
}

const TOO_DEEP = 'it is nested too deeply'

/**
 * The text of an element, or an object if it has attributes or elements: `_name` for an attribute, a list for elements
 * of one name, `_text` for text beside them.
 */
function valueOf(
  element: parseXml.XmlElement,
  path: string,
  lists: ReadonlySet<string>,
  depth: number,
): unknown {
  if (depth > MAX_NESTING) throw new XmlFault(TOO_DEEP)
  const attributes = Object.entries(element.attributes).filter(([name]) => !isNamespace(name))
  if (attributes.some(([name, value]) => localName(name) === 'nil' && value === 'true')) return null
  const { XmlElement, XmlText } = library()
  const text = element.children.map(child => (child instanceof XmlText ? child.text : '')).join('')
  const children = element.children.filter(child => child instanceof XmlElement)
  if (attributes.length === 0 && children.length === 0) return text
  const members = new Map<string, unknown>()
  for (const [name, value] of attributes) members.set(`_${localName(name)}`, value)
  for (const child of children) {
    const name = localName(child.name)
    const below = `${path}.${name}`
    addChild(members, name, valueOf(child, below, lists, depth + 1), lists.has(below))
  }
  if (text.trim() !== '') members.set('_text', text)
  return Object.fromEntries(members)
}

/** Children are never lists themselves, so a list is several of them. */
function addChild(
  members: Map<string, unknown>,
  name: string,
  value: unknown,
  isList: boolean,
): void {
  const before = members.get(name)
  if (Array.isArray(before)) before.push(value)
  else if (members.has(name)) members.set(name, [before, value])
  else members.set(name, isList ? [value] : value)
}

/** Prefixes are a document's own choice, so no card can rely on them. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function isNamespace(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}
