# Pods that have between them every field of docs/pod.md, so that what becomes of each can be seen: by
# taking it out (fields.jq) and by putting hostile text into it (hostile.jq).

# The kinds of a probe.
def probes: [
  {httpGet: {path: "/h", port: "http", host: "h.example", scheme: "HTTPS", httpHeaders: [{name: "H", value: "v"}]}},
  {exec: {command: ["check", "it"]}},
  {tcpSocket: {port: 5, host: "h.example"}},
  {grpc: {port: 6, service: "s"}}];
def times: {initialDelaySeconds: 1, timeoutSeconds: 2, periodSeconds: 3, successThreshold: 2, failureThreshold: 4,
  terminationGracePeriodSeconds: 5};

def selinux: {user: "u", role: "r", type: "t", level: "s0"};
def profile: {type: "Localhost", localhostProfile: "p.json"};

def amounts: {limits: {memory: "64Mi", cpu: "1", "hugepages-2Mi": "4Mi", "example.com/gpu": "1"},
  requests: {memory: "1Mi", cpu: "1m", "example.com/gpu": "1"}, claims: [{name: "gpu"}]};

# What init containers and containers have alike, but for their name.
def container: {
  image: "example.com/i:1", imagePullPolicy: "Never", workingDir: "/w", command: ["/bin/m", "-x"], args: ["a", "b"],
  ports: [{name: "http", containerPort: 80, hostPort: 80, hostIP: "127.0.0.1", protocol: "UDP"}],
  envFrom: [{prefix: "P_", configMapRef: {name: "cm"}}, {prefix: "Q_", secretRef: {name: "se"}},
    {configMapRef: {name: "none", optional: true}}, {secretRef: {name: "none", optional: true}}],
  env: [{name: "A", value: "b"},
    {name: "F", valueFrom: {fieldRef: {apiVersion: "v1", fieldPath: "metadata.annotations['note']"}}},
    {name: "M", valueFrom: {resourceFieldRef: {containerName: "other", resource: "limits.memory", divisor: "1Ki"}}},
    {name: "C", valueFrom: {configMapKeyRef: {name: "cm", key: "k"}}},
    {name: "S", valueFrom: {secretKeyRef: {name: "se", key: "k"}}},
    {name: "CN", valueFrom: {configMapKeyRef: {name: "none", key: "k", optional: true}}},
    {name: "SN", valueFrom: {secretKeyRef: {name: "none", key: "k", optional: true}}},
    {name: "K", valueFrom: {fileKeyRef: {volumeName: "e", path: "p", key: "k"}}}],
  livenessProbe: {httpGet: {port: "http"}},
  resources: amounts, resizePolicy: [{resourceName: "cpu", restartPolicy: "NotRequired"}],
  restartPolicyRules: [{action: "Restart"}],
  volumeMounts: [{name: "e", mountPath: "/e", readOnly: true},
    {name: "c", mountPath: "/c", subPath: "s", recursiveReadOnly: "Enabled"},
    {name: "h", mountPath: "/h", mountPropagation: "HostToContainer", readOnly: true}, {name: "i", mountPath: "/i"},
    {name: "d", mountPath: "/dev/d"}, {name: "n", mountPath: "/n"}, {name: "cfg", mountPath: "/cfg"},
    {name: "sec", mountPath: "/sec"}, {name: "down", mountPath: "/down"}, {name: "proj", mountPath: "/proj"},
    {name: "new", mountPath: "/new", subPathExpr: "x$(A)"}, {name: "ro", mountPath: "/ro"}, {name: "eph", mountPath: "/eph"}],
  volumeDevices: [{name: "c", devicePath: "/dev/c"}],
  lifecycle: {postStart: {exec: {command: ["x"]}}, preStop: {sleep: {seconds: 1}}, stopSignal: "SIGUSR1"},
  terminationMessagePath: "/t", terminationMessagePolicy: "File", stdin: true, stdinOnce: true, tty: true,
  securityContext: {capabilities: {add: ["NET_ADMIN"], drop: ["ALL"]}, privileged: true, seLinuxOptions: selinux,
    windowsOptions: {hostProcess: false}, runAsUser: 1, runAsGroup: 2, readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false, procMount: "Unmasked", seccompProfile: profile, appArmorProfile: profile}};

# A container for every kind of every probe.
def probing($front; $more):
  ["livenessProbe", "readinessProbe", "startupProbe"] as $fields
  | [range(3) as $f | range(probes | length) as $p
     | {name: "\($front)-\($f)-\($p)", image: "example.com/i:1", securityContext: {runAsNonRoot: true}} + $more
       | if $p == 0 then .ports = [{name: "http", containerPort: 80}] else . end
       | .[$fields[$f]] = probes[$p] + times];

def sources: [
  {configMap: {name: "cm", items: [{key: "k", path: "a", mode: 256}, {key: "none", path: "z"}], optional: true, defaultMode: 288}},
  {secret: {name: "se", items: [{key: "k", path: "b", mode: 256}, {key: "none", path: "z"}], optional: true, defaultMode: 288}},
  {downwardAPI: {defaultMode: 288, items: [
    {path: "c", mode: 256, fieldRef: {apiVersion: "v1", fieldPath: "metadata.annotations['note']"}},
    {path: "d", resourceFieldRef: {containerName: "other", resource: "limits.memory", divisor: "1Ki"}}]}}];
# With what each file has its own mode, and one that has the source's.
def unmoded: map(map_values(if .items then .items += [.items[0] | del(.mode) | .path += "2"] else . end));

def volumes: [
  {name: "e", emptyDir: {medium: "HugePages-2Mi", sizeLimit: "4Mi"}}, {name: "e2", emptyDir: {sizeLimit: "1Mi"}},
  {name: "c", persistentVolumeClaim: {claimName: "cl"}}, {name: "ro", persistentVolumeClaim: {claimName: "cl2", readOnly: true}},
  {name: "h", hostPath: {path: "/srv/h", type: "Socket"}}, {name: "new", hostPath: {path: "/srv/new", type: "DirectoryOrCreate"}},
  {name: "d", hostPath: {path: "/srv/null", type: "CharDevice"}},
  {name: "i", image: {reference: "example.com/d:1", pullPolicy: "Never"}},
  {name: "n", nfs: {server: "s.example", path: "/x", readOnly: true}},
  {name: "eph", ephemeral: {volumeClaimTemplate: {spec: {storageClassName: "x"}}}},
  {name: "cfg"} + (sources | unmoded[0]), ({name: "sec"} + (sources | unmoded[1]) | .secret |= (del(.name) + {secretName: "se"})),
  {name: "down"} + (sources | unmoded[2]),
  {name: "proj", projected: {defaultMode: 272, sources: ((sources | unmoded) + (sources | unmoded | map(map_values(del(.defaultMode) | .items[].path |= "in/" + .)))
    + [{serviceAccountToken: {path: "t"}}, {clusterTrustBundle: {path: "t"}}, {podCertificate: {keyType: "x"}}])}}]
  + (["awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "csi", "fc", "flexVolume", "flocker",
      "gcePersistentDisk", "gitRepo", "glusterfs", "iscsi", "photonPersistentDisk", "portworxVolume", "quobyte", "rbd",
      "scaleIO", "storageos", "vsphereVolume"] | map({name: ascii_downcase, (.): {x: "y"}}));

def pod($name): {apiVersion: "v1", kind: "Pod", metadata: {name: $name, annotations: {note: "a note"}}, spec: {
  containers: [{name: "other", image: "example.com/i:1", resources: {limits: {memory: "2Mi"}}}]}};

(pod("full")
 | .metadata += {generateName: "g-", namespace: "ns", labels: {app: "web"}, uid: "u", resourceVersion: "1", generation: 1,
     creationTimestamp: "x", deletionTimestamp: "x", deletionGracePeriodSeconds: 1, selfLink: "l", managedFields: [{}],
     ownerReferences: [{name: "o"}], finalizers: ["f"]}
 | .status = {phase: "Running"}
 | .spec += {restartPolicy: "Never", hostname: "box", dnsPolicy: "ClusterFirst", terminationGracePeriodSeconds: 40,
     ephemeralContainers: [{name: "x"}], activeDeadlineSeconds: 9, nodeSelector: {a: "b"}, serviceAccountName: "sa",
     serviceAccount: "sa", automountServiceAccountToken: true, nodeName: "n", hostPID: true, hostIPC: true, subdomain: "sub",
     affinity: {a: 1}, schedulerName: "s", tolerations: [{key: "x"}], priorityClassName: "p", priority: 1,
     readinessGates: [{conditionType: "x"}], runtimeClassName: "kata", enableServiceLinks: true,
     preemptionPolicy: "Never", overhead: {cpu: "1"}, topologySpreadConstraints: [{maxSkew: 1}], setHostnameAsFQDN: true,
     os: {name: "linux"}, hostUsers: false, schedulingGates: [{name: "g"}], resourceClaims: [{name: "r"}],
     resources: amounts, workloadRef: {name: "w"}, imagePullSecrets: [{name: "ps"}],
     hostAliases: [{ip: "10.0.0.1", hostnames: ["a.example"]}],
     dnsConfig: {nameservers: ["1.1.1.1"], searches: ["b.example"], options: [{name: "ndots", value: "2"}]},
     securityContext: {supplementalGroups: [5], fsGroup: 6, fsGroupChangePolicy: "Always", supplementalGroupsPolicy: "Strict",
       seLinuxChangePolicy: "Recursive", sysctls: [{name: "net.core.somaxconn", value: "9"}], windowsOptions: {hostProcess: false}}}
 | .spec.volumes = volumes
 | .spec.initContainers = [container + {name: "init"}, container + {name: "side", restartPolicy: "Always"}]
 | .spec.containers += [container + {name: "main", restartPolicy: "Always"}]),
(pod("probes") | .spec.containers = probing("m"; {})),
(pod("side-probes") | .spec.initContainers = probing("i"; {restartPolicy: "Always"})),
# What the others stand in the way of.
(pod("second") | .spec += {hostnameOverride: "over", hostNetwork: true, shareProcessNamespace: true,
   securityContext: {seLinuxOptions: selinux, seccompProfile: profile, appArmorProfile: profile, runAsUser: 1, runAsGroup: 2}}),
(pod("third") | .spec.securityContext = {runAsNonRoot: true})
