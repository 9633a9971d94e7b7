using System.Globalization;
using Microsoft.Extensions.Logging;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Notices as events: id, level, sentence, fields.</summary>
[Trait("Category", "Fast")]
public class NoticeTests
{
    private static readonly NoticeKind Late = NoticeKind.Warning(901, "Late", "{Peer}: {Millis:F1} ms late, {Peer} again", "Late: {Kind}");

    [Fact]
    public void Text_OfFields_IsFormattedIndependentOfTheCulture()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo comma = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        comma.NumberFormat.NumberDecimalSeparator = ",";
        CultureInfo.CurrentCulture = comma;
        try
        {
            Notice notice = new(Late, ["a", 1_234.56, CloseKind.Aborted]);
            Assert.Equal("a: 1234.6 ms late, a again", notice.Text);
            Assert.Equal(notice.Text, notice.ToString());
            Assert.Equal("Late: Aborted", notice.Cause);
            Assert.Equal([new("Peer", "a"), new("Millis", 1_234.56), new("Kind", CloseKind.Aborted)], notice.Fields);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    /// <summary>People filter logs by these numbers.</summary>
    [Fact]
    public void Ids_OfConnections_Stay() => Assert.Equal([101, 102, 103, 104, 105, 106], new[]
    {
        ConnectionNotices.Channel, ConnectionNotices.Refused, ConnectionNotices.NotCompleted, ConnectionNotices.Failed, ConnectionNotices.HeldBack,
        ConnectionNotices.PackTooLarge,
    }.Select(kind => kind.Id));

    [Fact]
    public void Text_WithoutFields_IsTheTemplate()
    {
        NoticeKind kind = NoticeKind.Information(902, "Plain", "Connected.");
        Notice notice = new(kind, []);
        Assert.Equal(("Connected.", null), (notice.Text, notice.Cause));
        Assert.Empty(notice.Fields);
        Assert.Equal(NoticeLevel.Information, kind.Level);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    public void Values_OfAnotherNumber_AreRefused(int count) =>
        Assert.Throws<ArgumentException>(() => new Notice(Late, new object?[count]));

    [Fact]
    public void Logger_GetsIdLevelFieldsAndTemplate()
    {
        RecordingLogger logger = new();
        Action<Notice> log = NoticeLogger.Create(logger);
        log(new(Late, ["a", 5.0, 7]));
        log(new(NoticeKind.Information(902, "Plain", "Connected."), []));
        Assert.Equal(
            ["Warning 901 Late: a: 5.0 ms late, a again; Peer=a, Millis=5, Kind=7, {OriginalFormat}={Peer}: {Millis:F1} ms late, {Peer} again",
                "Information 902 Plain: Connected.; {OriginalFormat}=Connected."],
            logger.Entries);
    }

    [Fact]
    public void Logger_ThatIsNotInterested_GetsNothing()
    {
        RecordingLogger logger = new() { Least = LogLevel.Warning };
        NoticeLogger.Create(logger)(new(NoticeKind.Information(902, "Plain", "Connected."), []));
        Assert.Empty(logger.Entries);
        Assert.Throws<ArgumentNullException>(() => NoticeLogger.Create(null!));
    }

    private sealed class RecordingLogger : ILogger
    {
        public LogLevel Least { get; init; }

        public List<string> Entries { get; } = [];

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= Least;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Entries.Add($"{logLevel} {eventId.Id} {eventId.Name}: {formatter(state, exception)}; "
                + string.Join(", ", Assert.IsType<IReadOnlyList<KeyValuePair<string, object?>>>(state, exactMatch: false).Select(field =>
                    string.Create(CultureInfo.InvariantCulture, $"{field.Key}={field.Value}"))));
    }
}
