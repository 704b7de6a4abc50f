#!/usr/bin/env python3
"""Renders the Helm chart with its usual and with other values, checks each object against the schemas of Kubernetes, and the server.yaml
in it against docs/server.schema.json: test/dist/chart.py. Needs helm or go (Debian: golang-go), npm's kubernetes-models in NODE_PATH, and
Python's yaml, jsonschema and referencing; without them it ends with exit code 77 and a sentence."""
import copy, json, pathlib, shutil, subprocess, sys, tempfile

try:
    import jsonschema, referencing, yaml
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)
if not (helm := shutil.which("helm")) and not shutil.which("go"):
    print("skipped: neither helm nor go is there")
    sys.exit(77)

if subprocess.run(["node", "-e", "require('kubernetes-models/v1')"], capture_output=True).returncode:
    print("skipped: npm's kubernetes-models is not in NODE_PATH")
    sys.exit(77)

CHECK = """
for (const one of JSON.parse(require('fs').readFileSync(0))) {
  new (require('kubernetes-models/' + one.apiVersion)[one.kind])(one).validate();
}"""
root = pathlib.Path(__file__).resolve().parents[2]
chart = root / "metascheduler/dist/src/helm/metasched"
usual = yaml.safe_load((chart / "values.yaml").read_text())
about = yaml.safe_load((chart / "Chart.yaml").read_text())
schemas = {name: json.loads((root / "docs" / name).read_text()) for name in ("server.schema.json", "site.schema.json")}
store = referencing.Registry().with_resources(
    [(name, referencing.Resource.from_contents(schema)) for name, schema in schemas.items()])
server = jsonschema.Draft202012Validator(schemas["server.schema.json"], registry=store)


def rendered(values):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        if helm:
            json.dump(values, file)
            command = [helm, "template", "grid", str(chart), "--values", file.name]
        else:
            json.dump({"Values": values, "Release": {"Name": "grid"},
                       "Chart": {"AppVersion": about["appVersion"], "Version": about["version"]}}, file)
            command = ["go", "run", str(root / "test/dist/chart.go"), str(chart), file.name]
        file.flush()
        ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode:
        raise ValueError(ended.stderr)
    return [one for one in yaml.safe_load_all(ended.stdout) if one]


def settings(objects):
    return yaml.safe_load(next(one for one in objects if one["kind"] == "Secret")["stringData"]["server.yaml"])


def valid(**changes):
    values = copy.deepcopy(usual)
    values.update(changes)
    objects = rendered(values)
    checked = subprocess.run(["node", "-e", CHECK], input=json.dumps(objects), capture_output=True, text=True)
    if checked.returncode:
        raise ValueError(checked.stderr)
    server.validate(settings(objects))
    return {one["kind"]: one for one in objects}


def refused(what, **changes):
    try:
        valid(**changes)
    except (ValueError, jsonschema.ValidationError) as error:
        assert what in str(error), error
        return
    sys.exit("taken: %s" % changes)


pod = valid()["Deployment"]["spec"]["template"]["spec"]
assert set(valid()) == {"Secret", "Deployment", "Service", "PodDisruptionBudget"}
assert pod["securityContext"]["runAsNonRoot"] and pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"]
mounted = {one["name"] for one in pod["containers"][0]["volumeMounts"]}
assert mounted == {one["name"] for one in pod["volumes"]}, mounted
assert pod["containers"][0]["image"] == "metasched:" + about["appVersion"]
one = valid(replicas=1, authoritiesConfigMap="igtf", settings={"keep-ended": "30d"}, imagePullSecrets=[{"name": "pull"}],
            security={"anonymous": False, "roles": {"operator": ["/DC=org/CN=Bob"]}},
            sites=[{"site": "fzj", "url": "https://fzj.example.org/services/Site"}, {"site": "b", "scheduler": {"type": "simulated", "nodes": 2}}])
assert "PodDisruptionBudget" not in one
made = settings(list(one.values()))
assert made["security"]["authorities"] and made["keep-ended"] == "30d" and len(made["sites"]) == 2, made
refused("tlsSecret is missing", tlsSecret="")
refused("publicUrl is missing", publicUrl="")
refused("lisen", settings={"lisen": "0.0.0.0"})
refused("replicas", replicas="two")
print("the chart: objects valid for Kubernetes and settings for the server, by", helm or "go's templates")
