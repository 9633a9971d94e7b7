using System.Globalization;
using PerfCommon.Codec;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace UsersPerf;

/// <summary>Every option of UsersPerf. The guide has no such tool: rows have ConsPerf's names where they mean the same.</summary>
internal sealed class UsersPerfOptionTable : RoleOptionTable<UsersPerfOptions>
{
    private const int MaxSeconds = 1_000_000;
    private const double MinPostRate = 0.001;
    private const double MaxPostRate = 1_000;

    public UsersPerfOptionTable()
        : base("UsersPerf", new UsersPerfOptions())
    {
        AddConnection();
        AddUsers();
        AddPosts();
        AddTimes();
        AddMeasuring();
        EndGuideRows();
        AddFurtherOptions();
        RefuseTunnels();
    }

    /// <summary>The only table; immutable.</summary>
    public static UsersPerfOptionTable Instance { get; } = new();

    private void AddConnection()
    {
        Connection.Kind("Connection Type");
        Connection.Host();
        Connection.Port();
        Text("-serviceName", "name", "service to request items from", o => o.ServiceName,
            (o, v) => o with { ServiceName = v }).As("Service").In(HelpGroup.Common);
        Run.Threads();
        Run.Part();
        Text("-uname", "name", "login name, followed by the number of the user; by default that of the system",
            o => o.UserName, (o, v) => o with { UserName = v }).As("Username",
            o => o.UserName ?? "(use system login name)").In(HelpGroup.Common);
    }

    private void AddUsers()
    {
        Number("-users", "n", "users of this process, when there is no -steps", o => o.Users, (o, v) => o with { Users = v })
            .Within(1, StepList.MaxUsers).As("Users", o => o.Steps is null ? $"{o.Users}" : "(steps)").In(HelpGroup.Common);
        Custom("-steps", "list", "a rising list such as 250,500 or 250..5500/250",
            "users of all parts, step after step: totals, or first..last/distance",
            o => o.Steps?.ToString(),
            (o, text) => StepList.TryParse(text) is { } v ? o with { Steps = v } : null).As("Steps").In(HelpGroup.Common);
        Number("-loginRate", "n", "log-ins per second over all parts", o => o.LoginRate, (o, v) => o with { LoginRate = v })
            .Within(1, StepList.MaxUsers).As("Login Rate").In(HelpGroup.Rates);
        Number("-subscriptions", "n", "items of one user", o => o.Subscriptions, (o, v) => o with { Subscriptions = v })
            .AtLeast(1).As("Subscriptions").In(HelpGroup.Common);
        Number("-subjects", "n", "items to choose from, the first of -itemFile", o => o.Subjects,
            (o, v) => o with { Subjects = v })
            .AtLeast(1).As("Subjects").In(HelpGroup.Common);
        Text("-itemFile", "file", "list of items", o => o.ItemFile, (o, v) => o with { ItemFile = v }).As("Item File").In(HelpGroup.Files);
        Choice("-pattern", "name",
            "items of a user: spread (at even distances, different from the next user's) or same (the same for all)",
            [new("spread", false), new("same", true)], o => o.HasSamePattern,
            (o, v) => o with { HasSamePattern = v }).As("Pattern").In(HelpGroup.Rates);
        Choice("-batch", "switch", "how a user requests items: on, in one batch where the hub accepts it; off, one by one",
            [new("on", false), new("off", true)], o => o.AsksOneByOne,
            (o, v) => o with { AsksOneByOne = v }).As("Batch Requests").In(HelpGroup.Rates);
        Custom("-subjectRate", "n", "a number such as 0.5",
            "updates per second of each item, to compute what a user should receive; 0 for unknown",
            o => o.SubjectRate.ToString(CultureInfo.InvariantCulture),
            (o, text) => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double v) && v is >= 0 and < 1e6
                ? o with { SubjectRate = v } : null)
            .As("Subject Rate").In(HelpGroup.Rates);
    }

    private void AddPosts()
    {
        Custom("-postRate", "n", "a number such as 0.1", "posts per second of each posting user, to its items in turn; 0 for none",
            o => o.PostRate.ToString(CultureInfo.InvariantCulture),
            (o, text) => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double v)
                && v is 0 or (>= MinPostRate and <= MaxPostRate) ? o with { PostRate = v } : null)
            .As("Post Rate").In(HelpGroup.Rates);
        OptionalNumber("-contributors", "n", "users of all parts who post, the first n (default: all)", o => o.Contributors,
            (o, v) => o with { Contributors = v }).Within(1, StepList.MaxUsers).As("Contributors").In(HelpGroup.Rates);
    }

    private void AddTimes()
    {
        Number("-warmup", "s", "time before the first period, in addition to -settle", o => o.WarmupSeconds,
            (o, v) => o with { WarmupSeconds = v })
            .Within(0, MaxSeconds).As("Warm-up", o => $"{o.WarmupSeconds} sec").In(HelpGroup.Rates);
        Number("-settle", "s", "time from the last log-in of a step to its period", o => o.SettleSeconds,
            (o, v) => o with { SettleSeconds = v })
            .Within(0, MaxSeconds).As("Settle", o => $"{o.SettleSeconds} sec").In(HelpGroup.Rates);
        Number("-period", "s", "time that is measured in each step", o => o.PeriodSeconds, (o, v) => o with { PeriodSeconds = v })
            .Within(1, MaxSeconds).As("Period", o => $"{o.PeriodSeconds} sec").In(HelpGroup.Common);
        Custom("-startAt", "time", "a UTC time such as 2026-11-22T10:00:00Z, or @file",
            "time of the first log-in, the same for all parts, at most -warmup and -settle ago; @file: read from this file once it exists",
            o => o.StartFile is { } file ? "@" + file : o.StartAt?.ToString(StartFile.TimeForm, CultureInfo.InvariantCulture),
            ReadStart)
            .As("Start At").In(HelpGroup.Rates);
        Number("-runTime", "s", "seconds the program runs; 0: to the end of the last period, or without -steps until a signal",
            o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(0).As("Run Time",
                o => o.RunSeconds > 0
                ? $"{o.RunSeconds} sec" : o.Steps is null ? "until a signal" : "to the last period").In(HelpGroup.Common);
    }

    private void AddMeasuring()
    {
        Choice("-measure", "how",
            "on: latency; check: with another clock at the sources, the spread of latency above the minimum before each period",
            [new("on", true), new("check", false)], o => o.Measures, (o, v) => o with { Measures = v }).As("Measure").In(HelpGroup.Rates);
        Choice("-decode", "what", "fields decoded of an update: stamp (entry headers and the last field) or all",
            [new("stamp", false), new("all", true)],
            o => o.DecodesAll, (o, v) => o with { DecodesAll = v }).As("Decode").In(HelpGroup.Rates);
        Choice("-reconnect", "switch",
            "users lost after their login: on logs in again after 0.5 to 8 s, off does not (a failed login is always retried)",
            [new("on", true), new("off", false)],
            o => o.Reconnects, (o, v) => o with { Reconnects = v }).As("Reconnect");
        Custom("-until", "list", Threshold.ListKind(UsersPerfOptions.UntilMetrics),
            "end with the first step that misses one of these, or is not whole",
            o => o.Until.Count == 0 ? null : string.Join(',', o.Until),
            (o, text) => Threshold.TryParseList(text, UsersPerfOptions.UntilMetrics) is { } v
                ? o with { Until = v } : null).As("Until").In(HelpGroup.Rates);
    }

    private static UsersPerfOptions? ReadStart(UsersPerfOptions options, string text) => text switch
    {
        ['@', _, ..] => options with { StartFile = text[1..], StartAt = null },
        _ => StartFile.TryReadTime(text, out DateTime time) ? options with { StartAt = time, StartFile = null } : null,
    };

    private void AddFurtherOptions()
    {
        Run.SummaryFile();
        Run.StatsFile();
        Run.WriteStatsInterval();
        Run.DisplayStats();
        Run.JsonFile();
        Run.HistogramFile();
        Run.Rotate();
        Run.MaxFiles();
        Control.Add();
        Run.CpuPerCore();
        Run.Assert([.. Threshold.Latencies, Threshold.Rate, Threshold.Cpu, Threshold.Memory, Threshold.Lost]);
        Run.BindThread();
        Run.BusyRead();
        Connection.OutputBuffers(min: 1);
        Connection.InputBuffers();
        Connection.SystemBuffers();
        Connection.Timeouts();
        Connection.HighWaterMark();
        Connection.Interfaces();
        Connection.TcpDelay();
        Connection.TlsVersions();
        Connection.InsideTls();
        Connection.Certificates();
        Connection.Trust();
        Connection.WebSocket();
        Connection.Compression();
        Connection.Proxy();
        Connection.Limits();
        Session.NanoTime();
        Custom("-view", "list", FieldIdList.Kind,
            "request these fields only, where the hub offers views (time stamps are always included)",
            o => o.View is { } view ? FieldIdList.Format(view.FieldIds) : null,
            (o, s) => FieldIdList.TryParse(s) is { } ids ? o with { View = new FieldView(ids) } : null)
            .As("View", o => o.View is { } view ? FieldIdList.Format(view.FieldIds) : "(all fields)").In(HelpGroup.Rates);
    }
}
