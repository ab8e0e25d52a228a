// dialogue.mjs - draws a dialogue with an agent, and beside it the page of the device while it changes, as one animated SVG.
//
// It has no script: styles switch lines and pictures on and off. Readers get their own colours, and who wants no motion the end of it.
const LINE = 24 // pixels from one line of text to the next
const WIDTH = 860
const SHOWN = { x: 556, y: 16, width: 290 } // where the page is
const STYLE = `text{font:14px ui-monospace,monospace;fill:#1c2733;white-space:pre}.who{fill:#00639b;font-weight:600}.said{fill:#55616e}
.desk{fill:#f3f5f7}.frame{fill:none;stroke:#d5dbe1}.dark{display:none}
@media(prefers-color-scheme:dark){text{fill:#e3e8ec}.who{fill:#7cc4ff}.said{fill:#a3b0bc}.desk{fill:#12171c}.frame{stroke:#36414b}.light{display:none}.dark{display:inline}}`

const escape = text => text.replace(/[<>&"]/g, c => `&#${c.charCodeAt(0)};`)

// Visible from one moment to another, in seconds; without an end until the last moment, and for readers who want no motion.
function visible(name, from, to, length) {
    const percent = moment => (100 * moment / length).toFixed(2) + '%'
    const end = to == null ? '' : `${percent(to)},100%{visibility:hidden}`
    return `.${name}{animation:${name} ${length}s step-end infinite}@keyframes ${name}{0%{visibility:${from ? 'hidden' : 'visible'}}${percent(from)}{visibility:visible}${end}}` +
        `@media(prefers-reduced-motion){.${name}{animation:none;visibility:${to == null ? 'visible' : 'hidden'}}}`
}

// lines: [{at, who, text, look}]; pages: [{at, text, light, dark}], what the page says and PNG files, each until the next; size: of a page in pixels.
export function draw(title, lines, pages, size, length) {
    const styles = [STYLE], parts = []
    lines.forEach(({ at, who = '', text, look = '' }, i) => {
        const y = 40 + LINE * i
        styles.push(visible(`t${i}`, at, null, length))
        parts.push(`<g class="t${i}"><text class="who" x="20" y="${y}">${who}</text><text class="${look}" x="76" y="${y}">${escape(text)}</text></g>`)
    })
    const height = Math.round(SHOWN.width * size.height / size.width)
    pages.forEach((page, i) => {
        styles.push(visible(`p${i}`, page.at, pages[i + 1]?.at, length))
        const image = scheme => `<image class="${scheme}" x="${SHOWN.x}" y="${SHOWN.y}" width="${SHOWN.width}" height="${height}" href="data:image/png;base64,${page[scheme].toString('base64')}"/>`
        parts.push(`<g class="p${i}"><desc>${escape(page.text)}</desc>${image('light')}${image('dark')}</g>`)
    })
    const all = height + 2 * SHOWN.y
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${all}" width="${WIDTH}" height="${all}" role="img"><title>${escape(title)}</title><style>${styles.join('\n')}</style>
<rect class="desk" width="${WIDTH}" height="${all}" rx="8"/>
${parts.join('\n')}
<rect class="frame" x="${SHOWN.x}" y="${SHOWN.y}" width="${SHOWN.width}" height="${height}" rx="6"/>
</svg>
`
}

// What such a picture says, its pages included: pictures of two machines differ in their fonts, but not in this.
export const said = svg => [...svg.matchAll(/<(?:text [^>]*|desc)>([^<]*)<\/(?:text|desc)>/g)].map(m => m[1]).join('\n')
