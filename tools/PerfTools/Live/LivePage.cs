using System.Globalization;
using System.Text.Json;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Documents;

namespace PerfTools.Live;

/// <summary>A page that shows the runs of a command while they are in progress: <c>perftools run --serve</c>.</summary>
/// <remarks>A failure of the page never ends the run. The thread of the run calls all members but those that answer requests.</remarks>
internal sealed class LivePage : IDisposable
{
    private static readonly TimeSpan MaxFarewell = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan MaxAge = TimeSpan.FromSeconds(1);

    private readonly RunConsole _console;
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly LiveAnswers _answers;
    private readonly Lock _lock = new();
    private LiveServer? _server;
    private LiveRun? _run;
    private string _content = "";
    private DateTime _contentUtc; // the minimum when the content must be created again

    private LivePage(RunConsole console, string token)
    {
        _console = console;
        _answers = new(token, CreateContent, _end.Task);
    }

    /// <summary>Starts the page and prints its address, or a line that says why it cannot start.</summary>
    /// <param name="port">The port to listen on, 0 for a free port; null for no page.</param>
    /// <param name="console">The console for the line.</param>
    public static LivePage? TryStart(int? port, RunConsole console)
    {
        if (port is not { } asked)
            return null;
        string token = LiveAnswers.CreateToken();
        LivePage page = new(console, token);
        page.Try(() =>
        {
            page._server = LiveServer.TryStart(asked, page._answers.Answer, out string? problem);
            console.WriteLine(page._server is { } server
                ? string.Create(CultureInfo.InvariantCulture, $"Live page: http://127.0.0.1:{server.Port}/{token}/") : DescribeTrouble(problem!));
        });
        return page._server is null ? null : page;
    }

    /// <summary>True while a client waits for the next content.</summary>
    internal bool IsWatched => _answers.IsWatched;

    /// <summary>Shows a run from now on.</summary>
    public void Begin(LivePlan plan) => Try(() => Change(new(plan, DateTime.UtcNow), static _ => { }));

    /// <summary>Receives JSON lines of a role of the run.</summary>
    /// <param name="role">The role.</param>
    /// <param name="lines">The lines.</param>
    /// <param name="shift">The time to subtract from theirs, where they are of another machine; 0 for none.</param>
    public void Receive(string role, IReadOnlyList<JsonElement> lines, TimeSpan shift = default)
    {
        if (lines.Count > 0)
            Try(() => Change(_run, run => run.Receive(role, lines, shift)));
    }

    /// <summary>Receives a line for people.</summary>
    public void AddNote(string line) => Try(() => Change(_run, run => run.AddNote(line)));

    /// <summary>Shows the result of the run.</summary>
    /// <param name="run">The result.</param>
    /// <param name="folder">The folder with its files.</param>
    public void End(RunDocument run, RunFolder folder)
    {
        string files = $"{(File.Exists(folder.PathOf(ReportFolder.FileName)) ? ReportFolder.FileName + " is" : "Results are")} in the folder {folder.FullPath}";
        Try(() => Change(_run, live => live.End(run, files)));
    }

    /// <summary>Notifies the clients that all is over, and ends; takes less than a second.</summary>
    public void Dispose() => Try(() =>
    {
        bool isWatched = IsWatched;
        lock (_lock)
            _contentUtc = default;
        _end.TrySetResult();
        if (isWatched)
            Task.WhenAny(_answers.LastSent, Task.Delay(MaxFarewell)).GetAwaiter().GetResult();
        _server?.Dispose();
        _server = null;
    });

    private static string DescribeTrouble(string problem) => $"Live page: not available, the run goes on without it: {problem}";

    private void Change(LiveRun? run, Action<LiveRun> change)
    {
        if (run is null)
            return;
        change(run);
        lock (_lock)
            (_run, _contentUtc) = (run, default);
    }

    // The content is created once per change, for any number of clients.
    private (string Html, bool IsLast) CreateContent()
    {
        lock (_lock)
        {
            DateTime now = DateTime.UtcNow;
            bool isLast = _end.Task.IsCompleted;
            if (now - _contentUtc > MaxAge)
                (_content, _contentUtc) = (Write(now, isLast), now);
            return (_content, isLast);
        }
    }

    private string Write(DateTime now, bool isLast)
    {
        using StringWriter text = new() { NewLine = "\n" };
        text.Write(isLast ? $"<div {LivePageText.Last}>\n" : "<div>\n");
        if (_run is { } run)
            ReportPage.WriteBody(text, run.Create(now));
        text.Write("</div>\n");
        return text.ToString();
    }

    // The page is an extra: a defect of it prints one line, too, and the run continues.
    private void Try(Action action)
    {
        try
        {
            action();
        }
#pragma warning disable CA1031 // as above
        catch (Exception defect)
#pragma warning restore CA1031
        {
            _console.WriteLine(DescribeTrouble(defect.Message));
            _run = null;
        }
    }
}
