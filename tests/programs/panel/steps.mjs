// steps.mjs - what a person does on the panel of the example, in whatever host.

// The part of the panel that belongs to a tool.
export const part = (view, name) => view.locator(`.tool[title="${name}"]`)

export const result = async (view, name) => {
    const out = part(view, name).locator('> [role=status]')
    await out.locator('> *').first().waitFor()
    return out.innerText()
}

// A tool that needs nothing.
export async function status(view) {
    await part(view, 'line_status').getByRole('button', { name: 'Line status' }).click()
    return result(view, 'line_status')
}

const bottle = view => view.locator('#values tr').nth(1).locator('td').nth(2).innerText()

// One that may destroy: its fields are asked for, then a confirmation, and the value follows. Returns what was seen on the way.
export async function dose(view) {
    const tool = part(view, 'run_dose'), seen = { before: await bottle(view) }
    const run = tool.locator('[type=submit]').first()
    await run.click()
    seen.missing = await tool.locator('input:invalid').count()
    await tool.locator('input').nth(0).fill('1')
    await tool.locator('input').nth(1).fill('1000')
    await run.click()
    seen.asked = await tool.getByRole('button', { name: 'Yes: Dose a volume' }).isVisible()
    seen.ranUnasked = await tool.locator('> [role=status] > *').count()
    await tool.getByRole('button', { name: 'Yes: Dose a volume' }).click()
    seen.result = await result(view, 'run_dose')
    seen.refused = await tool.locator('.bad').count()
    return seen
}

export const becomes = (view, amount) => view.waitForFunction(n => document.querySelector('#values table').rows[1].cells[2].innerText == n, amount)
export const amount = bottle
