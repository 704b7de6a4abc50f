// A whole life of an agreement, by the client that openapi-generator makes of the contract (typescript-fetch).
import { AgreementsApi, Configuration, PeopleApi, ProblemFromJSON, ResponseError, SitesApi } from './client/index';

declare const process: { argv: string[]; exitCode: number };

async function lifecycle(base: string): Promise<void> {
    const config = new Configuration({ basePath: base });
    const agreements = new AgreementsApi(config);
    const sites = await new SitesApi(config).listSites();
    console.log('sites', sites.sites.map(site => site.site).sort().join(' '));

    const key = crypto.randomUUID();
    const request = { parts: [{ site: 'fzj', nodes: 2 }, { site: 'scai', nodes: 1 }], duration: 'PT1H' };
    const advice = await agreements.makePlans({ request });
    const made = await agreements.createAgreement({ request: advice.plans[0].request, idempotencyKey: key });
    const again = await agreements.createAgreement({ request: advice.plans[0].request, idempotencyKey: key });
    console.log('made', made.state, made.agreementId === again.agreementId);

    const longer = await agreements.renegotiateAgreement({
        id: made.agreementId, ifMatch: '*', change: { duration: 'PT2H' },
    });
    console.log('longer', longer.state, longer.end!.getTime() - longer.start!.getTime());
    const history = await agreements.getHistory({ id: longer.agreementId });
    console.log('history', history.events.length > 0);
    const ended = await agreements.terminateAgreement({ id: longer.agreementId });
    console.log('ended', ended.state);

    const deadline = new Date(Date.now() + 90 * 60_000);
    const full = { parts: [{ site: 'scai', nodes: 8 }], duration: 'PT1H', deadline };
    const first = await agreements.createAgreement({ request: full });
    try {
        await agreements.createAgreement({ request: full });
    } catch (failure) {
        const problem = ProblemFromJSON(await (failure as ResponseError).response.json());
        const granted = await agreements.createAgreement({ request: problem.suggestions![0] });
        console.log('refused', problem.status, problem.reasons!.length > 0, granted.state);
        await agreements.terminateAgreement({ id: granted.agreementId });
    }
    await agreements.terminateAgreement({ id: first.agreementId });
    console.log('me', (await new PeopleApi(config).getMe()).kind.length > 0);
}

lifecycle(process.argv[2]).catch(failure => {
    console.error(failure);
    process.exitCode = 1;
});
