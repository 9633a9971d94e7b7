using Microsoft.Extensions.Logging;

namespace PerfCommon.Workers;

/// <summary>Passes notices to a logger of Microsoft.Extensions.Logging.</summary>
public static class NoticeLogger
{
    private const string OriginalFormat = "{OriginalFormat}"; // as the message templates of LoggerMessage have it

    /// <summary>
    /// Creates a listener for <see cref="WorkerOptions.OnNotice"/>: each notice becomes an entry with event id and name, level, fields and template.
    /// </summary>
    /// <param name="logger">Receives the entries on the thread that reports: any thread of the library, never per message.</param>
    public static Action<Notice> Create(ILogger logger)
    {
        ArgumentNullException.ThrowIfNull(logger);
        return notice => Log(logger, notice);
    }

    private static void Log(ILogger logger, Notice notice)
    {
        LogLevel level = notice.Kind.Level == NoticeLevel.Warning ? LogLevel.Warning : LogLevel.Information;
        if (!logger.IsEnabled(level))
            return;
        IReadOnlyList<KeyValuePair<string, object?>> state = [.. notice.Fields, KeyValuePair.Create(OriginalFormat, (object?)notice.Kind.Template)];
        logger.Log(level, new EventId(notice.Kind.Id, notice.Kind.Name), state, exception: null, (_, _) => notice.Text);
    }
}
