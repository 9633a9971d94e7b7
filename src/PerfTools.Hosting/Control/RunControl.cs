using System.Text;
using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Control;

/// <summary>Answers the requests to a running program: metrics, settings, marks, requests for a collection or the end.</summary>
/// <remarks>
/// Any thread requests; the main thread handles the requests in its turns. Workers see nothing of them but the values that they read at a tick.
/// </remarks>
/// <param name="tool">The program's name.</param>
/// <param name="access">Decides who may read and change settings; null when no client may.</param>
/// <param name="settings">The settings of the role; null for none.</param>
/// <param name="writeMetrics">Writes the metrics as text; null when they are not offered.</param>
/// <param name="collects">False for a program that has no collections during the run.</param>
internal sealed class RunControl(string tool, ControlAccess? access, RoleSettings? settings, Func<string>? writeMetrics,
    bool collects = true)
{
    private const string MetricsPath = "/metrics";
    private const string ControlPath = "/control";
    private const string MetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private const string JsonType = "application/json";
    private const string Get = "GET";
    private const string Mark = "mark";
    private const string Collect = "collect";
    private const string End = "end";
    private const string Now = "now";
    private const int MaxMarkChars = 100;

    private readonly SettingState[] _own =
        [new(Mark, null, null, "a text"), .. collects ? (SettingState[])[new(Collect, null, null, Now)] : [], new(End, null, null, Now)];

    private readonly Lock _lock = new();
    private readonly List<SettingEvent> _events = [];
    private bool _isCollectionRequested;

    /// <summary>The outcome of a run that a client ended; null while none has.</summary>
    public RunOutcome? Outcome { get; private set; }

    /// <summary>Returns the changes since the last call. Main thread.</summary>
    public IReadOnlyList<SettingEvent> DequeueEvents()
    {
        lock (_lock)
        {
            SettingEvent[] taken = [.. _events];
            _events.Clear();
            return taken;
        }
    }

    /// <summary>True when a client requested a collection since the last call. Main thread.</summary>
    public bool DequeueCollectionRequest()
    {
        lock (_lock)
        {
            bool isAsked = _isCollectionRequested;
            _isCollectionRequested = false;
            return isAsked;
        }
    }

    /// <summary>Answers a request.</summary>
    public ControlReply Answer(ControlRequest request) => request.Path switch
    {
        MetricsPath when writeMetrics is not null =>
            request.Method is Get or "HEAD" ? new(ControlReply.Ok, MetricsType, writeMetrics()) : RefuseMethod(Get),
        ControlPath when access is not null => access.Refuse(request) ?? AnswerControl(request),
        _ => ControlReply.Refuse(ControlReply.NotFound, $"nothing is here but {string.Join(" and ", Paths)}"),
    };

    private IEnumerable<string> Paths =>
        [.. writeMetrics is null ? [] : (string[])[MetricsPath], .. access is null ? [] : (string[])[ControlPath]];

    private ControlReply AnswerControl(ControlRequest request) => request.Method switch
    {
        Get => ShowSettings(),
        "POST" when request.Body is null =>
            ControlReply.Refuse(ControlReply.TooLarge, $"a request has at most {ControlRequest.MaxBodyBytes} bytes"),
        "POST" => TryChange(request.Body) is { } problem
            ? ControlReply.Refuse(ControlReply.BadRequest, Printable(problem)) : ShowSettings(),
        _ => RefuseMethod("GET and POST"),
    };

    private static string Printable(string problem) => PrintableText.From(problem, PrintableText.MaxLineChars);

    private static ControlReply RefuseMethod(string known) => ControlReply.Refuse(ControlReply.WrongMethod, $"this takes {known} alone");

    private string? TryChange(string body)
    {
        if (SettingLines.TryRead(body, out IReadOnlyList<(string Name, string Value)> asked) is { } unread)
            return unread;
        (string Name, string Value)[] own = [.. asked.Where(IsOwn)], others = [.. asked.Where(one => !IsOwn(one))];
        if (own.Select(FindOwnProblem).FirstOrDefault(problem => problem is not null) is { } wrong)
            return wrong;
        IReadOnlyList<SettingChange> changes = [];
        if (others.Length > 0 && TryChangeRole(others, out changes) is { } refused)
            return refused;
        lock (_lock)
        {
            foreach ((string name, _) in own)
                Request(name);
            _events.Add(new(DateTime.UtcNow, [.. changes, .. own.Select(one => new SettingChange(one.Name, one.Value, null))]));
        }

        return null;
    }

    private string? TryChangeRole((string Name, string Value)[] asked, out IReadOnlyList<SettingChange> changes)
    {
        changes = [];
        return settings is null
            ? ClosestName.Refuse(asked[0].Name, "setting", _own.Select(state => state.Name), "GET /control lists them")
            : settings.TryChange(asked, out changes);
    }

    private void Request(string name)
    {
        if (name == Collect)
            _isCollectionRequested = true;
        else if (name == End)
            Outcome ??= new RunOutcome(ExitCode.Success, "ended by control");
    }

    private bool IsOwn((string Name, string Value) asked) => Array.Exists(_own, state => state.Name == asked.Name);

    private static string? FindOwnProblem((string Name, string Value) asked) => asked switch
    {
        (Mark, { Length: > 0 and <= MaxMarkChars }) => null,
        (Mark, _) => $"{Mark}: a text of 1 to {MaxMarkChars} letters",
        (_, Now) => null,
        var (name, value) => $"{name}: '{value}' is not {Now}",
    };

    private ControlReply ShowSettings()
    {
        using MemoryStream text = new();
        using (Utf8JsonWriter json = new(text))
            SettingJson.WriteStates(json, tool, [.. settings?.States ?? [], .. _own]);
        return new(ControlReply.Ok, JsonType, Encoding.UTF8.GetString(text.ToArray()) + "\n");
    }
}
