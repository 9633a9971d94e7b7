using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;

namespace ManyConsumers;

/// <summary>What all users together got.</summary>
/// <param name="imagesExpected">Of all users.</param>
internal sealed class UserTotals(int imagesExpected)
{
    private readonly LongHistogram _latencies = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
    private readonly List<User> _users = [];
    private long _fromNanos;
    private int _images;

    public IReadOnlyList<User> Users => _users;
    public int ImagesExpected => imagesExpected;
    public int Images => Volatile.Read(ref _images);
    public long Samples => _latencies.TotalCount;

    /// <summary>Set with the last image.</summary>
    public ManualResetEventSlim Complete { get; } = new();

    /// <summary>True between <see cref="BeginMeasuring"/> and <see cref="EndMeasuring"/>.</summary>
    public bool IsMeasuring => Volatile.Read(ref _fromNanos) > 0;

    public User CreateUser()
    {
        User user = new(this);
        _users.Add(user);
        return user;
    }

    public void BeginMeasuring() => Volatile.Write(ref _fromNanos, Clock.NowNanos);

    /// <summary>Ends it; the result is its length in seconds.</summary>
    public double EndMeasuring() => (Clock.NowNanos - Interlocked.Exchange(ref _fromNanos, 0)) / (double)Clock.NanosPerSecond;

    /// <summary>Notes an image; on the worker's thread.</summary>
    public void NoteImage()
    {
        if (++_images == imagesExpected)
            Complete.Set();
    }

    /// <summary>Notes a stamp, in microseconds; on the worker's thread.</summary>
    public void NoteStamp(ulong stamp) => _latencies.RecordValue((Clock.NowNanos / 1_000) - (long)stamp);

    /// <summary>Microseconds; null when fewer than ten samples lie beyond it. After the worker's end.</summary>
    public double? Percentile(double percentile) => Samples == 0 || (percentile < 100 && Samples < LatencyFigures.SamplesNeeded(percentile))
        ? null : _latencies.GetValueAtPercentile(percentile);
}

/// <summary>One connection: counts, and decodes every field of what comes.</summary>
internal sealed class User(UserTotals totals) : ConsumerHandler
{
    private FieldListDecoder? _decoder;
    private bool[] _hasImage = [];

    /// <summary>Updates received while it was measured.</summary>
    public long Measured { get; private set; }

    protected internal override void OnReady()
    {
        _decoder = new FieldListDecoder(Session.Dictionary.Types, StampFields.First, StampFields.Count);
        _hasImage = new bool[Session.ItemCount];
    }

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        if (_hasImage[item] || MarketPriceConsumer.Classify(refresh) != ItemChange.Image)
            return;
        _hasImage[item] = true;
        totals.NoteImage();
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        if (!totals.IsMeasuring)
            return;
        Measured++;
        if (update.ContainerType == DataType.FieldList && _decoder!.Decode(update.Message, update.PayloadStart) == DecodeResult.Success
            && _decoder.Kept(StampFields.UpdateIndex) is var stamp and not 0)
        {
            totals.NoteStamp(stamp);
        }
    }
}
